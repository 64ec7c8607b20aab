export { sweepNotifications } from './notifications.queries.ts';
export { notificationRoutes } from './notifications.routes.ts';
export { notify, publishNotifications } from './notifications.service.ts';
