import { createFileRoute } from '@tanstack/react-router';
import { WorkPage } from '../../../features/operation/work-page.tsx';

export const Route = createFileRoute('/_app/operator/work')({ component: WorkPage });
