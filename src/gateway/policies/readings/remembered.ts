const charactersMax = 4_096;
const unitsMax = 2;

/** The same function, asked once for each character: a text has few that others have not. */
export function remembered<T>(find: (character: string) => T): (character: string) => T {
  const known = new Map<string, T>();
  return (character) => {
    const one = known.get(character);
    if (one !== undefined) return one;
    const found = find(character);
    // Longer ones are parts of texts, which may be private.
    if (character.length > unitsMax) return found;
    if (known.size === charactersMax) known.clear();
    known.set(character, found);
    return found;
  };
}
