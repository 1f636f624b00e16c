import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  ManyToOne,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from 'typeorm';

@Entity('invoices')
export class Invoice {
  @PrimaryGeneratedColumn('uuid') id!: string;
  @Column({ unique: true }) number!: string;
  @Column() customerName!: string;
  @Column() customerEmail!: string;
  @Column({ length: 3 }) currency!: string;
  @Column({ type: 'bigint' }) total!: string;
  @Column({ type: 'bigint', default: 0 }) amountPaid!: string;
  @Column({ default: 'open' }) status!: string;
  @Column({ type: 'text', nullable: true }) notes!: string | null;
  @Column({ type: 'date', nullable: true }) dueDate!: string | null;
  @CreateDateColumn() createdAt!: Date;
  @UpdateDateColumn() updatedAt!: Date;
}

@Entity('payments')
export class InvoicePayment {
  @PrimaryGeneratedColumn('uuid') id!: string;
  @ManyToOne(() => Invoice) @Index() invoice!: Invoice;
  @Column({ type: 'bigint' }) amount!: string;
  @Column() method!: string;
  @Column({ type: 'varchar', nullable: true }) reference!: string | null;
  @CreateDateColumn() createdAt!: Date;
}

@Entity('payment_links')
export class InvoicePaymentLink {
  @PrimaryGeneratedColumn('uuid') id!: string;
  @Column('uuid') invoiceId!: string;
  @Column({ type: 'bigint' }) amount!: string;
  @Column({ default: 'open' }) status!: string;
}
