import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';

/** As many names an address holds; every browser and server takes one of this length. */
const MOST_NAMES = 400;
const LONGEST = 6000;

export interface PageSelection {
  ids: ReadonlySet<string>;
  select: (ids: Iterable<string>) => void;
}

/** The names that an address holds: one to a line, which no name contains. */
export const namesInAddress = (text: string | undefined): string[] => (text ? text.split('\n').filter(Boolean) : []);

/** Names for the address; of more than it holds the first ones. */
export function addressOfNames(ids: Iterable<string>): string | undefined {
  const names: string[] = [];
  let length = 0;
  for (const id of new Set(ids)) {
    length += encodeURIComponent(id).length + 3;
    if (names.length >= MOST_NAMES || length > LONGEST) break;
    names.push(id);
  }
  return names.length === 0 ? undefined : names.join('\n');
}

/**
 * The lines or markers that are selected on a page, in every plot and table of it. They are in the address, so that a
 * reload keeps them and a link shows them.
 */
export function useSelection(): PageSelection {
  const navigate = useNavigate();
  const { selected } = useSearch({ strict: false });
  const ids = useMemo(() => new Set(namesInAddress(selected)), [selected]);
  return {
    ids,
    select: (next) =>
      void navigate({
        to: '.',
        search: (previous) => ({ ...previous, selected: addressOfNames(next) }),
        replace: true,
        resetScroll: false,
      }),
  };
}
