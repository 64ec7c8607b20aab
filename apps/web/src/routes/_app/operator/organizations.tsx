import { createFileRoute } from '@tanstack/react-router';
import { OperatedOrganizationsPage } from '../../../features/operation/operators/operated-organizations-page.tsx';

export const Route = createFileRoute('/_app/operator/organizations')({ component: OperatedOrganizationsPage });
