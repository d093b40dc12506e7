type Variables = Readonly<Record<string, string | undefined>>;

/** A file of certificates that Node reads and decodes at every start: twice as long as all the rest of it. */
const FOR_NODE = 'NODE_EXTRA_CA_CERTS';
const ASIDE = 'SYMPHONY_KEPT_NODE_EXTRA_CA_CERTS';

/** For a process of ours that opens no connections, and starts others that may. */
export function withoutCertificates({[FOR_NODE]: file, ...rest}: Variables): Variables {
  return file === undefined ? rest : {...rest, [ASIDE]: file};
}

/** In such a process: what it was given, for those that it starts. */
export function asItWasGiven({[ASIDE]: file, ...rest}: Variables): Record<string, string> {
  const given = file === undefined ? rest : {...rest, [FOR_NODE]: file};
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
