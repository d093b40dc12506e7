/** Where the program below finds what it speaks to. Only its own process gets these. */
export const PROXY_URL = 'SYMPHONY_TOOLS_URL';
export const PROXY_TOKEN = 'SYMPHONY_TOOLS_TOKEN';

/**
 * An MCP server on stdio that passes every message on to the tool server of the run, for agents that cannot speak to that
 * one by themselves. It is run by `node -e` in a process of the agent's, so it can use nothing of ours: a text.
 */
export const PROXY_PROGRAM = `
const {createInterface} = require('node:readline');
const {${PROXY_URL}: url, ${PROXY_TOKEN}: token} = process.env;
const headers = {'content-type': 'application/json', authorization: 'Bearer ' + token};
const failed = (line, message) => {
  try {
    const {id} = JSON.parse(line);
    return id === undefined ? '' : JSON.stringify({jsonrpc: '2.0', id, error: {code: -32603, message}});
  } catch {
    return '';
  }
};
const pass = async (body) => {
  try {
    const response = await fetch(url, {method: 'POST', headers, body});
    return response.ok ? await response.text() : failed(body, 'the tools answered ' + response.status);
  } catch {
    return failed(body, 'the tools of this run are gone');
  }
};
createInterface({input: process.stdin}).on('line', async (line) => {
  const answer = line.trim() === '' ? '' : await pass(line);
  if (answer !== '') process.stdout.write(answer + '\\n');
});
`;
