/** Makes every field required, so that a field missing on one side counts as a difference. */
type Whole<T> = {[K in keyof T]-?: Whole<T[K]>};

/**
 * `Then` if a type and the output of its schema are equal, else a type that nothing fits. A schema
 * drops unknown fields, so a forgotten one would be lost at the next restart.
 */
export type Agree<Type, Parsed, Then> = [Whole<Type>, Whole<Parsed>] extends [
  Whole<Parsed>,
  Whole<Type>,
]
  ? Then
  : 'the schema and its type differ';
