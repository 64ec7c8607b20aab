import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { showToast } from '../../lib/browser/toast.ts';
import { formatCount } from '../../lib/format/format.ts';

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
 * reload keeps them and a link shows them. A page about both keeps its markers under a name of their own.
 */
export function useSelection(place: 'selected' | 'selected_markers' = 'selected'): PageSelection {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { [place]: text } = useSearch({ strict: false });
  const ids = useMemo(() => new Set(namesInAddress(text)), [text]);
  return {
    ids,
    select: (next) => {
      const wanted = new Set(next);
      const address = addressOfNames(wanted);
      const kept = namesInAddress(address).length;
      if (kept < wanted.size) showToast({ text: t('selection.cut', { shown: formatCount(kept) }) });
      void navigate({
        to: '.',
        search: (previous) => ({ ...previous, [place]: address }),
        replace: true,
        resetScroll: false,
      });
    },
  };
}
