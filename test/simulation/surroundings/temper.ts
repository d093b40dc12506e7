/** How an agent goes about its attempt. */
export type Temper =
  | 'works'
  | 'finishes'
  | 'idles'
  | 'fails'
  | 'asks'
  | 'crashes'
  | 'goes silent'
  | 'stalls'
  | 'lingers';

/** The more often one is named, the more often it is met. */
export const TEMPERS: readonly Temper[] = [
  ...(['works', 'works', 'works', 'finishes', 'finishes', 'finishes', 'finishes'] as const),
  ...(['idles', 'fails', 'fails', 'fails', 'asks', 'crashes', 'goes silent'] as const),
  ...(['stalls', 'lingers'] as const),
];
