/** Every field required: one that is optional on one side and absent on the other counts as well. */
type Whole<T> = {[K in keyof T]-?: Whole<T[K]>};

/**
 * `Then` if a type and what its schema yields are the same in both directions, else
 * a type that nothing fits. A schema drops the fields that it does not know, so a forgotten one would
 * be lost at the next restart.
 */
export type Agree<Type, Parsed, Then> = [Whole<Type>, Whole<Parsed>] extends [
  Whole<Parsed>,
  Whole<Type>,
]
  ? Then
  : 'the schema and its type differ';
