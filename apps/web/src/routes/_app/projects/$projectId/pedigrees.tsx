import { createFileRoute } from '@tanstack/react-router';
import { ProjectPedigreePage } from '../../../../features/data/pedigree/project-pedigree-page.tsx';
import { textParams } from '../../../../lib/browser/search-params.ts';

export const Route = createFileRoute('/_app/projects/$projectId/pedigrees')({
  validateSearch: textParams('individual'),
  component: PedigreePageRoute,
});

function PedigreePageRoute() {
  return <ProjectPedigreePage {...Route.useParams()} />;
}
