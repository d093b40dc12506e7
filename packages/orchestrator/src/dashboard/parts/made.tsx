import type {RunView} from '@symphony-supervisor/protocol';
import {plural} from '../../view/words.ts';
import {OutLink} from './text.tsx';
import {isWebAddress} from './web-address.ts';

/** The results of a run, in one line. */
export function MadeWords({made}: {made: RunView['made']}) {
  if (made === null || made.commits + made.files === 0) return null;
  return (
    <span class="made">
      {plural(made.commits, 'commit')}, {plural(made.files, 'file')} +{made.lines_added} −
      {made.lines_removed}
      <span class="faint">
        {' '}
        {made.branch ?? ''} {made.head?.slice(0, 7) ?? ''}
      </span>
    </span>
  );
}

/** Links from hooks. They are untrusted text: an invalid address does not become a link. */
export function Links({links}: {links: RunView['links']}) {
  return (
    <>
      {links.map(({name, url}) =>
        isWebAddress(url) ? (
          <span class="tag" key={name}>
            <OutLink href={url}>{name}</OutLink>
          </span>
        ) : null,
      )}
    </>
  );
}
