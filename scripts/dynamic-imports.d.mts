import type {Metafile} from 'esbuild';

export function dynamicImportsOfCommonJs(metafile: Metafile): string[];
