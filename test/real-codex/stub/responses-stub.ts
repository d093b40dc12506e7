import type {ServerResponse} from 'node:http';
import {listenOnLoopback, ModelStub, type RawRequest} from '../../rig/model-stub/model-stub.ts';
import {type ModelRequest, modelRequest} from './model-request.ts';
import {outlastsRetries, type Step} from './stub-step.ts';
import {playStep} from './stub-stream.ts';

/** The Responses API, as Codex uses it. */
export class ResponsesStub extends ModelStub<ModelRequest, Step> {
  /** Sent along with every answer from now on, e.g. `rateLimitHeaders(…)`. */
  headers: Readonly<Record<string, string>> = {};

  static async listen({port: wanted = 0}: {readonly port?: number} = {}): Promise<ResponsesStub> {
    const {server, port} = await listenOnLoopback(wanted);
    return new ResponsesStub(server, port, {
      // A request outside any turn is a turn of its own.
      turnOf: ({turnId, index}) => turnId ?? `request-${index}`,
      isFirst: () => false, // every turn has an id of its own
      outlastsRetries,
    });
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  protected async answer(raw: RawRequest, response: ServerResponse): Promise<void> {
    if (raw.method !== 'POST' || raw.url.pathname !== '/v1/responses') {
      throw new Error(`no such route: ${raw.method} ${raw.url.pathname}`);
    }
    const request = modelRequest(raw.index, raw.headers, JSON.parse(raw.body.toString('utf8')));
    const {turnId, prompt} = request;
    const step = await this.nextStep(request, `turn ${turnId}: ${JSON.stringify(prompt)}`);
    await playStep(step, request, response, this.headers);
  }

  protected refusal(message: string): {status: number; body: object} {
    return {status: 500, body: {error: {type: 'stub', message}}};
  }
}
