/**
 * Finds loops in a pedigree. Each list is a line of descent that returns to its first member, child before parent,
 * with the first name repeated at the end. Each germplasm is in at most one list. `parentsOf` returns the parents of a
 * name (none for an unknown name). Depth is unlimited: the walk keeps its own stack. O(names + parents).
 */
export function pedigreeLoops(names: Iterable<string>, parentsOf: (name: string) => readonly string[]): string[][] {
  const state = new Map<string, 'open' | 'done'>();
  const loops: string[][] = [];
  const inLoop = new Set<string>();
  for (const start of names) {
    if (state.has(start)) continue;
    const path = [{ name: start, parents: parentsOf(start), next: 0 }];
    state.set(start, 'open');
    while (path.length > 0) {
      const top = path[path.length - 1];
      if (top.next === top.parents.length) {
        state.set(top.name, 'done');
        path.pop();
        continue;
      }
      const parent = top.parents[top.next++];
      const known = state.get(parent);
      if (known === undefined) {
        state.set(parent, 'open');
        path.push({ name: parent, parents: parentsOf(parent), next: 0 });
      } else if (known === 'open') {
        const loop = path.slice(path.findIndex(({ name }) => name === parent)).map(({ name }) => name);
        if (loop.some((name) => inLoop.has(name))) continue;
        for (const name of loop) inLoop.add(name);
        loops.push([...loop, parent]);
      }
    }
  }
  return loops;
}
