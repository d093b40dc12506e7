// An installed package contains the pages (`docs/`), but a reader of a message can open an address.

const DOCS = 'https://github.com/symphony-supervisor/symphony-supervisor/blob/main/docs';

/** The pages that messages name; a test checks that they exist. */
export const PAGES = {
  start: 'README.md',
  hooks: 'hooks.md',
  failures: 'troubleshooting.md',
} as const;

export function addressOf(page: keyof typeof PAGES): string {
  return `${DOCS}/${PAGES[page]}`;
}

/** Each kind of tracker has a page of its own, with the rights that a key needs. */
export function trackerPage(kind: string): string {
  return `${DOCS}/trackers/${kind}.md`;
}
