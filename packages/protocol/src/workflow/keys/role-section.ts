import {AgentAccess, type AgentKind} from '../../agents/agent-job.ts';
import {AGENT_PROFILES} from '../../agents/profiles.ts';
import {namedSections, rule, setting} from './setting.ts';
import {count, labels, oneOf, priorities, states, text, titles} from './value-types.ts';

/** The section `roles` of the front matter: who takes an issue on, by name. */
export const roleSections = namedSections(
  {
    when: rule(
      {
        labels: setting(labels, null, 'The issue has one of these labels.'),
        states: setting(states, null, 'The issue is in one of these states.'),
        priority: setting(priorities, null, 'The issue has one of these priorities.'),
        title: setting(
          titles,
          null,
          'The title of the issue contains one of these texts; case does not matter.',
        ),
      },
      'Which issues it takes: every key must fit, and of a list any entry. The first role that fits takes the issue.',
    ),
    prompt: setting(
      text,
      null,
      "A file with its prompt, in the workflow file's folder or below it.",
      'the prompt of this file',
    ),
    agent: setting(
      oneOf(...(Object.keys(AGENT_PROFILES) as AgentKind[])),
      null,
      'Which coding agent works.',
      'agent.kind',
    ),
    model: setting(text, null, 'The model.', 'agent.model, if the agent is of the same kind'),
    effort: setting(
      text,
      null,
      "The model's reasoning effort.",
      'agent.effort, if the agent is of the same kind',
    ),
    max_turns: setting(count, null, 'Turns in one run.', 'agent.max_turns'),
    access: setting(
      oneOf(...AgentAccess.options),
      null,
      'What the agent may do to its workspace.',
      'agent.access',
    ),
    product: setting(
      oneOf('code', 'subtasks', 'issues'),
      null,
      'What it makes. `subtasks` and `issues` are not available yet.',
      'code',
    ),
    parent: setting(
      oneOf('work', 'handoff'),
      null,
      'With `product: subtasks`: what becomes of the issue when its subtasks are over.',
      'work',
    ),
  },
  'a map from names to roles',
  'Who takes an issue on: settings that override those of this file.',
);
