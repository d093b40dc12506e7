import {
  type AgentLine,
  cutText,
  type Loose,
  list,
  loose,
  type PlanStep,
  text,
} from '@symphony-supervisor/protocol/transcript';
import type {ToolCall, ToolOutcome} from './tool-lines.ts';

/** More tasks than a person looks at; an agent could make them without end. */
const MOST_TASKS = 200;

/** The agent's list of what it has to do: written whole, or task by task. */
export class Plan {
  readonly #tasks = new Map<string, PlanStep>();

  /** What a call did to it; null if nothing. A whole list is told by the call, a task by its result. */
  take({name, input}: ToolCall, outcome: ToolOutcome | null): AgentLine | null {
    if (name === 'TodoWrite') {
      return outcome === null ? line(list(input.todos).map((todo) => stepOf(loose(todo)))) : null;
    }
    if (outcome === null || outcome.isError) return null;
    const isTask = name === 'TaskCreate' || name === 'TaskUpdate';
    if (!isTask || !(name === 'TaskCreate' ? this.#add(input, outcome) : this.#update(input))) {
      return null;
    }
    return line([...this.#tasks.values()]);
  }

  #add(input: Loose, {output}: ToolOutcome): boolean {
    const id = text(loose(output.task).id);
    if (id === '' || this.#tasks.size >= MOST_TASKS) return false;
    this.#tasks.set(id, {step: cutText(text(input.subject)), status: 'pending'});
    return true;
  }

  #update(input: Loose): boolean {
    const id = text(input.taskId);
    const task = this.#tasks.get(id);
    if (task === undefined) return false;
    if (input.status === 'deleted') return this.#tasks.delete(id);
    const step = text(input.subject) === '' ? task.step : cutText(text(input.subject));
    const status = input.status === undefined ? task.status : statusOf(input.status);
    this.#tasks.set(id, {step, status});
    return true;
  }
}

function line(steps: readonly PlanStep[]): AgentLine {
  return {ev: 'plan', steps, explanation: null};
}

function stepOf(todo: Loose): PlanStep {
  return {step: cutText(text(todo.content)), status: statusOf(todo.status)};
}

function statusOf(status: unknown): PlanStep['status'] {
  return status === 'completed' || status === 'in_progress' ? status : 'pending';
}
