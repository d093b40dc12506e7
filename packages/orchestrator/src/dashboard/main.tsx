import {render} from 'preact';
import {Live} from './live/live.ts';
import {LiveContext} from './live/now.ts';
import {App} from './parts/app.tsx';
import {applyTheme, savedTheme} from './parts/theme.ts';

applyTheme(savedTheme());
const live = new Live();
live.start();
const place = document.getElementById('app');
if (place !== null) {
  render(
    <LiveContext.Provider value={live}>
      <App />
    </LiveContext.Provider>,
    place,
  );
}
