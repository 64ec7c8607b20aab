import { createFileRoute } from '@tanstack/react-router';
import { AboutPage } from '../../features/shell/about-page.tsx';

export const Route = createFileRoute('/_app/about')({ staticData: { isPublic: true }, component: AboutPage });
