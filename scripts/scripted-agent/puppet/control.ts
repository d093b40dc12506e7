import {connect} from 'node:net';
import type {Host} from '../host.ts';
import {lineSplitter} from '../json.ts';
import {parseStep} from '../script/step.ts';
import type {Order} from './control-line.ts';

/**
 * The agent's end of the control line. It is named by an argument, because the environment of an
 * agent is scrubbed. When the test goes away, so does the agent, whatever it was told to ignore.
 */
export function connectControl(path: string, host: Host): void {
  const socket = connect(path);
  socket.setEncoding('utf8');
  socket.on('error', () => {}); // 'close' follows
  socket.on('close', () => host.quit());
  host.report = (report) => socket.write(`${JSON.stringify(report)}\n`);
  host.report({report: 'hello', pid: process.pid});

  let inTurn: Promise<void> = Promise.resolve();
  const obey = (order: Order): void => {
    if (order.order === 'end') host.quit();
    else if (order.order === 'open') host.gate(order.gate).open();
    else if (order.turnId === null) void perform(order, host);
    // One after the other: a test gives its orders without waiting for each.
    else inTurn = inTurn.then(() => perform(order, host));
  };
  socket.on(
    'data',
    lineSplitter((line) => obey(JSON.parse(line))),
  );
}

async function perform(order: Order & {order: 'perform'}, host: Host): Promise<void> {
  const {id, turnId} = order;
  try {
    const step = parseStep(order.step);
    const turn = turnId === null ? null : host.turns.get(turnId);
    if (turn === undefined) throw new Error('the turn is over');
    const result = (turn ?? host).perform(step);
    host.report({report: 'performed', id, result: (await result) ?? null});
  } catch (error) {
    const because = error instanceof Error ? error.message || error.constructor.name : 'unknown';
    host.report({report: 'not-performed', id, because});
  }
}
