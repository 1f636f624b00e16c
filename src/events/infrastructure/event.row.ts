import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('events')
export class EventRow {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  @PrimaryColumn('uuid', { name: 'event_id' })
  eventId!: string;

  @Column('text')
  type!: string;

  @Column('uuid', { name: 'document_id', nullable: true })
  documentId!: string | null;

  @Column('integer', { nullable: true })
  sequence!: number | null;

  /** Null for what happened before it was kept. */
  @Column('text', { name: 'actor_type', nullable: true })
  actorType!: string | null;

  @Column('text', { name: 'actor_id', nullable: true })
  actorId!: string | null;

  @Column('jsonb')
  data!: object;

  @Column('timestamptz', { name: 'occurred_at' })
  occurredAt!: Date;

  /** Where its transaction stands in the order that seals follow. */
  @Column('bigint', { default: () => 'book_xact()' })
  xact!: bigint;
}
