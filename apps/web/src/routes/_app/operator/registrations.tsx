import { createFileRoute } from '@tanstack/react-router';
import { RegistrationsPage } from '../../../features/operation/registrations-page.tsx';

export const Route = createFileRoute('/_app/operator/registrations')({ component: RegistrationsPage });
