/**
 * The configuration of the private folder. It comes after the operator's own and wins over it: nothing may run beside
 * the transfer, push anything else, or take objects for present that are not.
 */
const SETTINGS = `[core]
	bare = true
	hooksPath = /dev/null
	fsmonitor = false
	commitGraph = false
	multiPackIndex = false
[protocol "ext"]
	allow = never
[gc]
	auto = 0
[maintenance]
	auto = false
[submodule]
	recurse = false
[push]
	default = nothing
	followTags = false
	gpgSign = false
	negotiate = false
	pushOption =
	recurseSubmodules = no
	useForceIfIncludes = false
[fetch]
	prune = false
	pruneTags = false
	recurseSubmodules = false
	unpackLimit = 1
	writeCommitGraph = false
[transfer]
	bundleURI = false
	unpackLimit = 1
`;
const NO_HELPERS = `[credential]
	helper =
`;
export type ObjectFormat = 'sha1' | 'sha256';

export function folderConfig(format: ObjectFormat, pushWith: 'git' | 'token'): string {
  const version =
    format === 'sha1'
      ? '[core]\n\trepositoryFormatVersion = 0\n'
      : '[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = sha256\n';
  return `${version}${SETTINGS}${pushWith === 'token' ? NO_HELPERS : ''}`;
}
