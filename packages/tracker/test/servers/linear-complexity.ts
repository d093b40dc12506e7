import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';

type Variables = Readonly<Record<string, unknown>>;

/**
 * By the formula that Linear publishes: 0.1 points a property, 1 an object, and a connection
 * multiplies all that is in it by its `first` (50 where it has none). Read so that it is never too
 * low: `nodes` and `pageInfo` are objects like others, and inside a connection are multiplied, too.
 */
export function complexityOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Variables,
): number {
  const operation = document.definitions.find(({kind}) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`no ${operation.operation}`);

  const inside = (set: SelectionSetNode | undefined, type: GraphQLCompositeType): number =>
    (set?.selections ?? []).reduce((sum, selection) => {
      if (selection.kind === Kind.FIELD) return sum + ofField(selection, type);
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? document.definitions.find(
              (each) =>
                each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === selection.name.value,
            )
          : selection;
      if (fragment === undefined || !('selectionSet' in fragment)) return sum;
      return sum + inside(fragment.selectionSet, type);
    }, 0);

  const ofField = (field: FieldNode, parent: GraphQLCompositeType): number => {
    if (!isObjectType(parent)) throw new Error(`${parent.name} is not an object`);
    const found = parent.getFields()[field.name.value];
    if (found === undefined) throw new Error(`${parent.name} has no ${field.name.value}`);
    const type = getNamedType(found.type);
    if (!isCompositeType(type)) return 0.1;
    if (!type.name.endsWith('Connection')) return 1 + inside(field.selectionSet, type);
    const first = field.arguments?.find(({name}) => name.value === 'first');
    const size = first ? Number(valueFromASTUntyped(first.value, {...variables})) : 50;
    return size * inside(field.selectionSet, type);
  };
  return inside(operation.selectionSet, root);
}
