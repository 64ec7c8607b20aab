export { sweepNotifications } from './notifications.queries.ts';
export { notificationRoutes } from './notifications.routes.ts';
export { notify } from './notifications.service.ts';
