import {claude} from '../../packages/runner/src/agent/claude/agent.ts';
import {
  type Conversation,
  converseWith,
} from '../../packages/runner/test/agent/contract/conversation.ts';
import {type Place, placeIn} from '../../packages/runner/test/agent/contract/surroundings.ts';
import {aFolder} from '../rig/fixtures/folder.ts';
import {MessagesStub} from '../rig/messages-stub/messages-stub.ts';
import {aClaude, claudeEnvironment} from './claude-home.ts';

/** A workspace, the real Claude Code, and a stub in the place of its model. */
export interface Scene extends AsyncDisposable {
  readonly place: Place;
  readonly stub: MessagesStub;
  talk(fields?: Parameters<typeof aClaude>[0]): Conversation;
}

export async function aScene(): Promise<Scene> {
  const folder = await aFolder();
  const stub = await MessagesStub.listen();
  const plain = placeIn(folder.path);
  const place = {...plain, env: claudeEnvironment(plain.home, stub.baseUrl)};
  const conversations: Conversation[] = [];
  return {
    place,
    stub,
    talk: (fields) => {
      const conversation = converseWith(claude, aClaude(fields), place);
      conversations.push(conversation);
      return conversation;
    },
    async [Symbol.asyncDispose]() {
      for (const conversation of conversations) await conversation[Symbol.asyncDispose]();
      await stub[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
