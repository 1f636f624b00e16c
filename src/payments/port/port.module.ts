import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { EventsModule } from '../../events/index.js';
import { ProviderReportRepository } from './infrastructure/provider-report.repository.js';
import { AccountExtensionSettings } from './application/account-extension-settings.service.js';
import { ExtensionSettingsRepository } from './infrastructure/extension-settings.repository.js';
import { AccountGatewayJudge } from './application/account-gateway-judge.js';
import { AccountGateways } from './application/account-gateways.service.js';
import { AccountGatewayRepository } from './infrastructure/account-gateway.repository.js';
import { GatewayExaminations } from './application/gateway-examinations.js';
import { GatewayResealing } from './application/gateway-resealing.js';
import { GatewaySettingsCipher } from './application/gateway-settings-cipher.js';
import { ReportJudge } from './application/report-judge.js';
import { OpenedGateways } from './application/opened-gateways.js';
import { OwnGateways } from './domain/gateways.js';

@Module({
  imports: [AuthModule, EventsModule],
  providers: [
    ProviderReportRepository,
    AccountGateways,
    AccountGatewayJudge,
    AccountGatewayRepository,
    GatewayExaminations,
    GatewayResealing,
    GatewaySettingsCipher,
    AccountExtensionSettings,
    ExtensionSettingsRepository,
    ReportJudge,
    { provide: OwnGateways, useClass: OpenedGateways },
  ],
  exports: [
    ProviderReportRepository,
    AccountGateways,
    AccountExtensionSettings,
    GatewayExaminations,
    OwnGateways,
    ReportJudge,
  ],
})
export class PortModule {}
