import type {ComponentChildren} from 'preact';
import {isWebAddress} from './web-address.ts';

// Text of agents and trackers stays text. It is only ever a text node; a few conventions (a fence, a code
// word, an address) are displayed as intended, and nothing in it becomes markup.

const INLINE = /(`[^`\n]+`)|(\*\*[^*\n]+\*\*)|(https?:\/\/[^\s<>"'`)\]]*[^\s<>"'`)\].,:;!?])/g;

export function OutLink({href, children}: {href: string | null; children: ComponentChildren}) {
  if (href === null || !isWebAddress(href)) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

export function Prose({text}: {text: string}) {
  return (
    <div class="prose">
      {text.split(/^```/m).map((part, index) => {
        // Every second part was between fences; its first line names a language.
        const key = `${index}`;
        if (index % 2 === 0)
          return part.trim() === '' ? null : <p key={key}>{inline(part.trim())}</p>;
        return <pre key={key}>{part.replace(/^[^\n]*\n/, '').trimEnd()}</pre>;
      })}
    </div>
  );
}

function inline(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    parts.push(text.slice(from, match.index));
    from = match.index + match[0].length;
    const [whole, code, strong] = match;
    if (code !== undefined) parts.push(<code>{code.slice(1, -1)}</code>);
    else if (strong !== undefined) parts.push(<strong>{strong.slice(2, -2)}</strong>);
    else parts.push(<OutLink href={whole}>{whole}</OutLink>);
  }
  parts.push(text.slice(from));
  return parts;
}
