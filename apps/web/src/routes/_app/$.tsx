import { createFileRoute } from '@tanstack/react-router';
import { PageNotFound } from '../../components/page/page-not-found.tsx';

/** Every other address. */
export const Route = createFileRoute('/_app/$')({ staticData: { isPublic: true }, component: PageNotFound });
