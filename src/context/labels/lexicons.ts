/** Words that tell the domain of a conversation, as people write them; compared by their stems. */

import { rootOf } from '../../retrieval/words.ts'
import type { Domain } from './label.ts'

const stems = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/).map(rootOf))

export const LEXICONS: Readonly<Record<Domain, ReadonlySet<string>>> = {
  tech: stems(`code function bug test compile build deploy server client api database sql query index schema cache thread
    async typescript javascript python rust java kotlin swift react svelte docker kubernetes container linux windows macos
    git commit branch merge repository repo package dependency library framework module class method variable parser
    compiler regex json yaml html css http https endpoint request response token auth login migration refactor lint
    stack trace exception timeout latency throughput memory cpu gpu kernel script terminal shell cli daemon log config`),
  business:
    stems(`customer client sales revenue pricing price market marketing competitor strategy roadmap stakeholder launch
    pitch investor startup company partner contract proposal negotiation meeting agenda quarterly okr kpi churn retention
    acquisition funnel lead campaign brand positioning vendor procurement hiring recruit candidate manager team
    organization hr policy compliance operations logistics supply retail ecommerce subscription onboarding enterprise`),
  personal:
    stems(`friend family mother father mom dad sister brother wife husband partner child kid daughter son baby birthday
    wedding party gift relationship dating feeling home house apartment garden kitchen cleaning dog cat pet hobby weekend
    dinner recipe cooking cook bake movie book song game diary journal goal habit letter advice apology neighbor school
    homework teacher`),
  travel:
    stems(`travel trip flight airport airline hotel hostel airbnb itinerary visa passport luggage tourist tour tourism
    sightseeing museum beach island mountain hike hiking train ferry cruise rental destination vacation holiday booking
    reservation layover abroad country city map border jetlag backpacking camping guide souvenir landmark`),
  health:
    stems(`health doctor hospital clinic symptom pain headache fever illness disease diagnosis treatment therapy therapist
    medicine medication dose pill vaccine allergy blood pressure heart cholesterol diabetes cancer diet nutrition calorie
    protein vitamin weight exercise workout gym muscle sleep insomnia stress anxiety depression pregnancy injury surgery
    physiotherapy dentist mental`),
  finance:
    stems(`money budget saving savings bank account loan mortgage interest rate credit debit debt tax taxes deduction
    income salary expense invoice invest investment investor stock share bond etf fund portfolio dividend crypto bitcoin
    pension retirement insurance premium inflation currency exchange audit ledger accounting bookkeeping refund payroll
    equity valuation liquidity`),
  creative:
    stems(`story novel poem poetry character plot chapter scene dialogue fiction fantasy lyric lyrics song melody music
    painting draw drawing sketch illustration design logo color palette photo photography film screenplay script
    storyboard animation narrator metaphor rhyme verse haiku essay blog caption headline slogan worldbuilding villain hero
    protagonist genre aesthetic typography`),
}
