import { createFileRoute } from '@tanstack/react-router';
import { WorkPage } from '../../../features/operation/operators/work-page.tsx';

export const Route = createFileRoute('/_app/operator/work')({ component: WorkPage });
