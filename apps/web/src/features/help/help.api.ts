import contents from 'virtual:help/contents';
import { queryOptions } from '@tanstack/react-query';
import { createHelpSearch } from './help-search-index.ts';

export const helpContents = contents;

/** HTML of a page; null when there is no such page. */
export const helpPageQuery = (slug: string) =>
  queryOptions({
    queryKey: ['help', slug],
    queryFn: async () => (await contents.find((page) => page.slug === slug)?.load())?.default ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The index of all sections, built when somebody searches for the first time. */
export const helpSearchQuery = queryOptions({
  queryKey: ['help-search'],
  queryFn: async () => createHelpSearch((await import('virtual:help/sections')).default),
  staleTime: Number.POSITIVE_INFINITY,
});
