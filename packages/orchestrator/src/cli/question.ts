import type {Interface} from 'node:readline/promises';

/**
 * What the person at the terminal answers; null: Ctrl-C or Ctrl-D. Node closes the terminal then, and by its
 * version rejects the question or leaves it open for ever.
 */
export async function question(terminal: Interface, text: string): Promise<string | null> {
  let onClose = () => {};
  const closed = new Promise<null>((resolve) => {
    onClose = () => resolve(null);
  });
  terminal.once('close', onClose);
  try {
    const answered = terminal.question(text).catch((error) => {
      if (error instanceof Error && error.name === 'AbortError') return null;
      throw error;
    });
    return await Promise.race([answered, closed]);
  } finally {
    terminal.off('close', onClose);
  }
}
