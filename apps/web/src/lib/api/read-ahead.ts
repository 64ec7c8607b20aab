import type { EnsureQueryDataOptions, QueryKey } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

/**
 * For `loader` of a route: asks for what the page will show as soon as its link is pointed at or pressed, beside the
 * code of the page. It keeps nobody waiting, and what fails is asked and told by the page itself.
 */
export function readAhead<Answer, Key extends QueryKey>(
  query: EnsureQueryDataOptions<Answer, Error, Answer, Key>,
): void {
  void queryClient.prefetchQuery(query);
}
