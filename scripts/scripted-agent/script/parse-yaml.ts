import {parse} from 'yaml';

// Loaded when needed: it takes longer than all the rest of the agent's start.

export function parseYaml(text: string): unknown {
  return parse(text);
}
