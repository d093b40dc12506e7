import assert from 'node:assert/strict';
import {test} from 'node:test';
import {BLOCK_KINDS} from './reader/block-kinds.ts';
import {allPages, placeOf} from './reader/markdown.ts';

const blocks = allPages().flatMap((page) => page.blocks);

test('every code block says what it is', () => {
  assert.ok(blocks.length > 25, `only ${blocks.length} blocks were found`);
  const unknown = blocks.filter(({kind}) => !Object.hasOwn(BLOCK_KINDS, kind));
  assert.deepEqual(
    unknown.map((block) => `${placeOf(block)} "${block.kind}"`),
    [],
  );
});

for (const block of blocks) {
  test(`${placeOf(block)}: ${block.kind} that holds`, async () => {
    assert.deepEqual(await BLOCK_KINDS[block.kind]?.(block.text), []);
  });
}
