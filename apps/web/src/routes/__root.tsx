import { createRootRoute, Outlet } from '@tanstack/react-router';
import * as z from 'zod';

const text = z.string().optional().catch(undefined);

/** Search params that every address may carry. */
const search = z.object({
  /** SPEC §2 "Access rule". */
  project_id: text,
  organization_id: text,
  /** The one open modal and what it was opened for: lib/modal.ts. */
  modal: text,
  modal_id: text,
  /** Tab of a detail page. */
  tab: text,
  /** Search, sort and grouping of the main table: components/use-table-state.ts. */
  q: text,
  sort: text,
  group: text,
});

export const Route = createRootRoute({ validateSearch: search, component: Outlet });
