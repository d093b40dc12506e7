import {render} from 'preact';
import {Live} from './live/live.ts';
import {LiveContext} from './live/now.ts';
import {signInByAddress} from './live/session.ts';
import {App} from './parts/app.tsx';
import {applyTheme, savedTheme} from './parts/theme.ts';

applyTheme(savedTheme());
const live = new Live();
void signInByAddress().then(() => live.start());
// A link that is pasted over the address of this page does not reload it.
addEventListener('hashchange', async () => {
  if (await signInByAddress()) live.connection.retryNow();
});
const place = document.getElementById('app');
if (place !== null) {
  render(
    <LiveContext.Provider value={live}>
      <App />
    </LiveContext.Provider>,
    place,
  );
}
