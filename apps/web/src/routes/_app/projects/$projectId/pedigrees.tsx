import { createFileRoute } from '@tanstack/react-router';
import { PedigreePage } from '../../../../features/projects/pedigree-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/pedigrees')({ component: PedigreePageRoute });

function PedigreePageRoute() {
  return <PedigreePage {...Route.useParams()} />;
}
