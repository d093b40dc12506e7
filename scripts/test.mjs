// The entry for `node scripts/test.mjs`, which needs no options of Node; see testing/main.ts.
import {register} from 'tsx/esm/api';

register();
await import('./testing/main.ts');
