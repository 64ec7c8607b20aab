import { createRootRoute, Outlet } from '@tanstack/react-router';
import { textParams } from '../lib/browser/search-params.ts';

/** Search params that every address may carry. */
const search = textParams(
  // The project or organization that a page without one in its path is about.
  'project_id',
  'organization_id',
  // The one open modal and what it was opened for: lib/browser/modal.ts.
  'modal',
  'modal_id',
  // Markers that a GWAS is to be run given, a name a line.
  'given',
  // Step of a programme's plan that what is made here is for: lib/browser/made-for.ts.
  'made_for',
  // Stop of the tour: features/shell/tour/tour.tsx.
  'tour',
  // Tab of a detail page.
  'tab',
  // Line whose passport stands beside a ranking: features/work/predictions/ranking-section.tsx.
  'line',
  // Search, sort and grouping of the main table: components/table/use-table-state.ts.
  'q',
  'sort',
  'group',
  // Saved views of the tables of a page: components/table/views/use-table-view.ts.
  'table_view',
  // Lines or markers that are selected on the page: components/table/use-selection.ts.
  'selected',
  'selected_markers',
);

export const Route = createRootRoute({ validateSearch: search, component: Outlet });
