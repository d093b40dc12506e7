export {type Doors, type DoorsOptions, openDoors} from './open-doors.ts';
export {CannotListen, PortBusy} from './port-busy.ts';
export type {Delivery, DeliveryVerdict, JudgeDelivery} from './routes/webhooks.ts';
export {
  ActionList,
  ErrorBody,
  Health,
  OrderTaken,
  RefreshTaken,
  RunList,
} from './shapes.ts';
export {readSupervisorFile, SupervisorFile} from './supervisor-file.ts';
