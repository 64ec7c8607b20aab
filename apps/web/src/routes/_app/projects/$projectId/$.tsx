import { createFileRoute } from '@tanstack/react-router';
import { PageNotFound } from '../../../../components/page/page-not-found.tsx';

/** Every other address inside a project, which keeps its navigation. */
export const Route = createFileRoute('/_app/projects/$projectId/$')({ component: PageNotFound });
