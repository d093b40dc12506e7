import {readFile} from 'node:fs/promises';
import type {SecretRef} from '@symphony-supervisor/protocol';
import {TrackerProblem} from '../answer.ts';

/** Resolves a reference to the secret. Only adapters call it, at the moment of use. */
export type ResolveSecret = (ref: SecretRef) => Promise<string>;

/** The environment is an argument: only the entry point of a process reads its own. */
export function secretResolver(
  environment: Readonly<Record<string, string | undefined>>,
): ResolveSecret {
  return async (ref) => {
    switch (ref.from) {
      case 'env':
        return notEmpty(environment[ref.name] ?? '', `the variable ${ref.name} is unset or empty`);
      case 'file':
        return notEmpty(await readSecretFile(ref.path), `the secret file ${ref.path} is empty`);
      case 'value':
        return notEmpty(ref.value, 'the secret in the workflow file is empty');
    }
  };
}

async function readSecretFile(path: string): Promise<string> {
  try {
    // Editors and `echo` end a file with a newline that is not part of the secret.
    return (await readFile(path, 'utf8')).replace(/[\r\n]+$/, '');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw missing(`the secret file ${path} cannot be read: ${reason}`, error);
  }
}

function notEmpty(secret: string, otherwise: string): string {
  if (secret.trim() === '') throw missing(otherwise);
  return secret;
}

function missing(message: string, cause?: unknown): TrackerProblem {
  return new TrackerProblem({code: 'missing_tracker_secret', message}, {cause});
}
