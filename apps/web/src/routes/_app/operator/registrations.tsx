import { createFileRoute } from '@tanstack/react-router';
import { RegistrationsPage } from '../../../features/operation/operators/registrations-page.tsx';

export const Route = createFileRoute('/_app/operator/registrations')({ component: RegistrationsPage });
