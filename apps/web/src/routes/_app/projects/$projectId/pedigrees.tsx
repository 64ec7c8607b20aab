import { createFileRoute } from '@tanstack/react-router';
import { ProjectPedigreePage } from '../../../../features/pedigree/project-pedigree-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/pedigrees')({ component: PedigreePageRoute });

function PedigreePageRoute() {
  return <ProjectPedigreePage {...Route.useParams()} />;
}
