import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventLog } from './application/event-log.js';
import { EventRow } from './infrastructure/event.row.js';

@Module({
  imports: [TypeOrmModule.forFeature([EventRow])],
  providers: [EventLog],
  exports: [EventLog],
})
export class EventsModule {}
