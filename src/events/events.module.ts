import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventLog } from './application/event-log.js';
import { EventRow } from './infrastructure/event.row.js';
import { EventsQuery } from './infrastructure/events.query.js';

@Module({
  imports: [TypeOrmModule.forFeature([EventRow])],
  providers: [EventLog, EventsQuery],
  exports: [EventLog, EventsQuery],
})
export class EventsModule {}
