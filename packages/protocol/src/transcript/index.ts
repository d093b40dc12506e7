export {
  type AgentLine,
  type CommandLine,
  cutText,
  type FileChange,
  type ItemStatus,
  isLastOfItem,
  type PlanStep,
  type StreamedItem,
  type ToolLine,
  type TurnLine,
} from './agent-line.ts';
export {
  type Loose,
  list,
  loose,
  numberOrNull,
  plain,
  shown,
  text,
  textOrNull,
} from './loose.ts';
