/**
 * Common US stocks, ETFs and funds: the symbol, then the name. Written from general knowledge as of 2026, without a data
 * provider. A name in the taxpayer's files comes first, because a symbol can be reused.
 */
export const commonSecurities = `
A Agilent Technologies
AA Alcoa
AAL American Airlines
AAPL Apple
ABBV AbbVie
ABNB Airbnb
ABT Abbott Laboratories
ACGL Arch Capital Group
ACN Accenture
ADBE Adobe
ADI Analog Devices
ADM Archer-Daniels-Midland
ADP Automatic Data Processing
ADSK Autodesk
AEE Ameren
AEP American Electric Power
AES AES
AFL Aflac
AFRM Affirm
AI C3.ai
AIG American International Group
AJG Arthur J. Gallagher
AKAM Akamai Technologies
ALB Albemarle
ALGN Align Technology
ALL Allstate
AMAT Applied Materials
AMC AMC Entertainment
AMD Advanced Micro Devices
AME AMETEK
AMGN Amgen
AMP Ameriprise Financial
AMT American Tower
AMZN Amazon
ANET Arista Networks
AON Aon
APA APA Corporation
APD Air Products and Chemicals
APH Amphenol
APO Apollo Global Management
APP AppLovin
APTV Aptiv
ARE Alexandria Real Estate Equities
ARKG ARK Genomic Revolution ETF
ARKK ARK Innovation ETF
ARM Arm Holdings
ASML ASML Holding
ATVI Activision Blizzard
AVB AvalonBay Communities
AVGO Broadcom
AVUV Avantis U.S. Small Cap Value ETF
AVY Avery Dennison
AWK American Water Works
AXON Axon Enterprise
AXP American Express
AZN AstraZeneca
AZO AutoZone
BA Boeing
BABA Alibaba Group
BAC Bank of America
BAX Baxter International
BBY Best Buy
BDX Becton Dickinson
BEN Franklin Resources
BIDU Baidu
BIIB Biogen
BIL SPDR Bloomberg 1-3 Month T-Bill ETF
BIV Vanguard Intermediate-Term Bond ETF
BK Bank of New York Mellon
BKNG Booking Holdings
BKR Baker Hughes
BLK BlackRock
BMY Bristol-Myers Squibb
BND Vanguard Total Bond Market ETF
BNDX Vanguard Total International Bond ETF
BP BP
BRK.A Berkshire Hathaway Class A
BRK.B Berkshire Hathaway Class B
BSV Vanguard Short-Term Bond ETF
BSX Boston Scientific
BTI British American Tobacco
BUD Anheuser-Busch InBev
BX Blackstone
BXP BXP
C Citigroup
CAG Conagra Brands
CAH Cardinal Health
CARR Carrier Global
CAT Caterpillar
CB Chubb
CBRE CBRE Group
CCI Crown Castle
CCJ Cameco
CCL Carnival
CDNS Cadence Design Systems
CEG Constellation Energy
CF CF Industries
CHD Church & Dwight
CHTR Charter Communications
CI Cigna
CL Colgate-Palmolive
CLF Cleveland-Cliffs
CLX Clorox
CMCSA Comcast
CME CME Group
CMG Chipotle Mexican Grill
CMI Cummins
CMS CMS Energy
CNC Centene
COF Capital One Financial
COIN Coinbase Global
COO Cooper Companies
COP ConocoPhillips
COR Cencora
COST Costco Wholesale
CPB Campbell's
CPRT Copart
CRM Salesforce
CRWD CrowdStrike
CRWV CoreWeave
CSCO Cisco Systems
CSX CSX
CTAS Cintas
CTSH Cognizant Technology Solutions
CTVA Corteva
CVNA Carvana
CVS CVS Health
CVX Chevron
D Dominion Energy
DAL Delta Air Lines
DASH DoorDash
DD DuPont
DDOG Datadog
DE Deere
DELL Dell Technologies
DEO Diageo
DFAC Dimensional U.S. Core Equity 2 ETF
DG Dollar General
DGRO iShares Core Dividend Growth ETF
DHI D.R. Horton
DHR Danaher
DIA SPDR Dow Jones Industrial Average ETF
DIS Walt Disney
DKNG DraftKings
DLR Digital Realty Trust
DLTR Dollar Tree
DOCU DocuSign
DOW Dow
DUK Duke Energy
DVN Devon Energy
DXCM DexCom
EA Electronic Arts
EBAY eBay
ECL Ecolab
ED Consolidated Edison
EEM iShares MSCI Emerging Markets ETF
EFA iShares MSCI EAFE ETF
EIX Edison International
EL Estée Lauder
EMR Emerson Electric
ENPH Enphase Energy
EOG EOG Resources
EPD Enterprise Products Partners
EQIX Equinix
EQR Equity Residential
ES Eversource Energy
ET Energy Transfer
ETN Eaton
ETSY Etsy
EW Edwards Lifesciences
EXC Exelon
EXPD Expeditors International
EXPE Expedia Group
F Ford Motor
FANG Diamondback Energy
FAST Fastenal
FBTC Fidelity Wise Origin Bitcoin Fund
FCNTX Fidelity Contrafund
FCX Freeport-McMoRan
FDX FedEx
FE FirstEnergy
FICO Fair Isaac
FIS Fidelity National Information Services
FITB Fifth Third Bancorp
FSKAX Fidelity Total Market Index Fund
FSLR First Solar
FTIHX Fidelity Total International Index Fund
FTNT Fortinet
FTV Fortive
FUBO fuboTV
FXAIX Fidelity 500 Index Fund
FXI iShares China Large-Cap ETF
FXNAX Fidelity U.S. Bond Index Fund
FZROX Fidelity ZERO Total Market Index Fund
FZILX Fidelity ZERO International Index Fund
GD General Dynamics
GDX VanEck Gold Miners ETF
GE GE Aerospace
GEHC GE HealthCare Technologies
GEV GE Vernova
GILD Gilead Sciences
GIS General Mills
GLD SPDR Gold Shares
GLW Corning
GM General Motors
GME GameStop
GOOG Alphabet Class C
GOOGL Alphabet Class A
GOVT iShares U.S. Treasury Bond ETF
GPC Genuine Parts
GPN Global Payments
GRMN Garmin
GS Goldman Sachs
GSK GSK
GWW W.W. Grainger
HAL Halliburton
HAS Hasbro
HBAN Huntington Bancshares
HCA HCA Healthcare
HD Home Depot
HIG Hartford Insurance Group
HLT Hilton Worldwide
HOLX Hologic
HON Honeywell International
HOOD Robinhood Markets
HPE Hewlett Packard Enterprise
HPQ HP
HRL Hormel Foods
HSBC HSBC Holdings
HSY Hershey
HUM Humana
HYG iShares iBoxx $ High Yield Corporate Bond ETF
IAU iShares Gold Trust
IBB iShares Biotechnology ETF
IBIT iShares Bitcoin Trust ETF
IBM International Business Machines
ICE Intercontinental Exchange
IDXX IDEXX Laboratories
IEFA iShares Core MSCI EAFE ETF
IEF iShares 7-10 Year Treasury Bond ETF
IEMG iShares Core MSCI Emerging Markets ETF
IFF International Flavors & Fragrances
IJH iShares Core S&P Mid-Cap ETF
IJR iShares Core S&P Small-Cap ETF
ILMN Illumina
INTC Intel
INTU Intuit
IP International Paper
IQV IQVIA Holdings
IR Ingersoll Rand
IRM Iron Mountain
ISRG Intuitive Surgical
IT Gartner
ITOT iShares Core S&P Total U.S. Stock Market ETF
ITW Illinois Tool Works
IVV iShares Core S&P 500 ETF
IVW iShares S&P 500 Growth ETF
IVE iShares S&P 500 Value ETF
IWB iShares Russell 1000 ETF
IWF iShares Russell 1000 Growth ETF
IWD iShares Russell 1000 Value ETF
IWM iShares Russell 2000 ETF
IXUS iShares Core MSCI Total International Stock ETF
JBHT J.B. Hunt Transport Services
JBLU JetBlue Airways
JCI Johnson Controls
JD JD.com
JEPI JPMorgan Equity Premium Income ETF
JEPQ JPMorgan Nasdaq Equity Premium Income ETF
JNJ Johnson & Johnson
JPM JPMorgan Chase
K Kellanova
KDP Keurig Dr Pepper
KEY KeyCorp
KEYS Keysight Technologies
KHC Kraft Heinz
KKR KKR
KLAC KLA
KMB Kimberly-Clark
KMI Kinder Morgan
KMX CarMax
KO Coca-Cola
KR Kroger
KVUE Kenvue
L Loews
LCID Lucid Group
LDOS Leidos
LEN Lennar
LHX L3Harris Technologies
LIN Linde
LLY Eli Lilly
LMT Lockheed Martin
LOW Lowe's
LQD iShares iBoxx $ Investment Grade Corporate Bond ETF
LRCX Lam Research
LULU Lululemon Athletica
LUV Southwest Airlines
LVS Las Vegas Sands
LYFT Lyft
LYV Live Nation Entertainment
MA Mastercard
MAR Marriott International
MARA MARA Holdings
MCD McDonald's
MCHP Microchip Technology
MCK McKesson
MCO Moody's
MDB MongoDB
MDLZ Mondelez International
MDT Medtronic
MDY SPDR S&P MidCap 400 ETF
MELI MercadoLibre
MET MetLife
META Meta Platforms
MGM MGM Resorts International
MKC McCormick
MLM Martin Marietta Materials
MMM 3M
MNST Monster Beverage
MO Altria Group
MOS Mosaic
MPC Marathon Petroleum
MRK Merck
MRNA Moderna
MRVL Marvell Technology
MS Morgan Stanley
MSCI MSCI
MSFT Microsoft
MSI Motorola Solutions
MSTR Strategy (MicroStrategy)
MTB M&T Bank
MTCH Match Group
MU Micron Technology
MUB iShares National Muni Bond ETF
NCLH Norwegian Cruise Line Holdings
NDAQ Nasdaq
NEE NextEra Energy
NEM Newmont
NET Cloudflare
NFLX Netflix
NIO NIO
NKE Nike
NOC Northrop Grumman
NOK Nokia
NOW ServiceNow
NRG NRG Energy
NSC Norfolk Southern
NTAP NetApp
NTRS Northern Trust
NU Nu Holdings
NUE Nucor
NVDA NVIDIA
NVO Novo Nordisk
NVR NVR
NVS Novartis
NXPI NXP Semiconductors
O Realty Income
ODFL Old Dominion Freight Line
OKE ONEOK
OKTA Okta
OMC Omnicom Group
ON ON Semiconductor
ORCL Oracle
ORLY O'Reilly Automotive
OTIS Otis Worldwide
OXY Occidental Petroleum
PANW Palo Alto Networks
PATH UiPath
PAYX Paychex
PCAR PACCAR
PCG PG&E
PDD PDD Holdings
PEG Public Service Enterprise Group
PEP PepsiCo
PFE Pfizer
PFF iShares Preferred and Income Securities ETF
PG Procter & Gamble
PGR Progressive
PH Parker-Hannifin
PINS Pinterest
PLD Prologis
PLTR Palantir Technologies
PLUG Plug Power
PM Philip Morris International
PNC PNC Financial Services
PPG PPG Industries
PPL PPL
PRU Prudential Financial
PSA Public Storage
PSQ ProShares Short QQQ
PSX Phillips 66
PTON Peloton Interactive
PWR Quanta Services
PYPL PayPal
QCOM Qualcomm
QQQ Invesco QQQ Trust
QQQM Invesco NASDAQ 100 ETF
RBLX Roblox
RCL Royal Caribbean Group
RDDT Reddit
REGN Regeneron Pharmaceuticals
RF Regions Financial
RIO Rio Tinto
RIOT Riot Platforms
RIVN Rivian Automotive
RKLB Rocket Lab
RKT Rocket Companies
RMD ResMed
ROK Rockwell Automation
ROKU Roku
ROP Roper Technologies
ROST Ross Stores
RSG Republic Services
RSP Invesco S&P 500 Equal Weight ETF
RTX RTX
SAP SAP
SBAC SBA Communications
SBUX Starbucks
SCHA Schwab U.S. Small-Cap ETF
SCHB Schwab U.S. Broad Market ETF
SCHD Schwab U.S. Dividend Equity ETF
SCHE Schwab Emerging Markets Equity ETF
SCHF Schwab International Equity ETF
SCHG Schwab U.S. Large-Cap Growth ETF
SCHV Schwab U.S. Large-Cap Value ETF
SCHW Charles Schwab
SCHX Schwab U.S. Large-Cap ETF
SCHZ Schwab U.S. Aggregate Bond ETF
SGOV iShares 0-3 Month Treasury Bond ETF
SH ProShares Short S&P500
SHEL Shell
SHOP Shopify
SHV iShares Short Treasury Bond ETF
SHW Sherwin-Williams
SHY iShares 1-3 Year Treasury Bond ETF
SIRI Sirius XM
SJM J.M. Smucker
SLB SLB
SLV iShares Silver Trust
SMCI Super Micro Computer
SMH VanEck Semiconductor ETF
SNAP Snap
SNOW Snowflake
SNPS Synopsys
SNY Sanofi
SO Southern Company
SOFI SoFi Technologies
SONY Sony Group
SOXL Direxion Daily Semiconductor Bull 3X Shares
SOXX iShares Semiconductor ETF
SPAXX Fidelity Government Money Market Fund
SPG Simon Property Group
SPGI S&P Global
SPOT Spotify Technology
SPXL Direxion Daily S&P 500 Bull 3X Shares
SPY SPDR S&P 500 ETF Trust
SQQQ ProShares UltraPro Short QQQ
SRE Sempra
STLA Stellantis
STT State Street
STX Seagate Technology
STZ Constellation Brands
SWK Stanley Black & Decker
SWKS Skyworks Solutions
SWPPX Schwab S&P 500 Index Fund
SWTSX Schwab Total Stock Market Index Fund
SWVXX Schwab Value Advantage Money Fund
SYF Synchrony Financial
SYK Stryker
SYY Sysco
T AT&T
TAP Molson Coors Beverage
TDG TransDigm Group
TEAM Atlassian
TEL TE Connectivity
TER Teradyne
TFC Truist Financial
TGT Target
TIP iShares TIPS Bond ETF
TJX TJX
TLT iShares 20+ Year Treasury Bond ETF
TM Toyota Motor
TMO Thermo Fisher Scientific
TMUS T-Mobile US
TNA Direxion Daily Small Cap Bull 3X Shares
TOST Toast
TQQQ ProShares UltraPro QQQ
TRGP Targa Resources
TROW T. Rowe Price Group
TRV Travelers
TSCO Tractor Supply
TSLA Tesla
TSM Taiwan Semiconductor Manufacturing
TSN Tyson Foods
TT Trane Technologies
TTD The Trade Desk
TTWO Take-Two Interactive
TWLO Twilio
TXN Texas Instruments
TXT Textron
U Unity Software
UAL United Airlines
UBER Uber Technologies
UL Unilever
ULTA Ulta Beauty
UNG United States Natural Gas Fund
UNH UnitedHealth Group
UNP Union Pacific
UPRO ProShares UltraPro S&P500
UPS United Parcel Service
UPST Upstart Holdings
URI United Rentals
USB U.S. Bancorp
USFR WisdomTree Floating Rate Treasury Fund
USMV iShares MSCI USA Min Vol Factor ETF
USO United States Oil Fund
V Visa
VB Vanguard Small-Cap ETF
VBR Vanguard Small-Cap Value ETF
VBTLX Vanguard Total Bond Market Index Fund Admiral Shares
VCIT Vanguard Intermediate-Term Corporate Bond ETF
VCSH Vanguard Short-Term Corporate Bond ETF
VEA Vanguard FTSE Developed Markets ETF
VEU Vanguard FTSE All-World ex-US ETF
VFIAX Vanguard 500 Index Fund Admiral Shares
VGK Vanguard FTSE Europe ETF
VGT Vanguard Information Technology ETF
VHT Vanguard Health Care ETF
VIG Vanguard Dividend Appreciation ETF
VLO Valero Energy
VMC Vulcan Materials
VMFXX Vanguard Federal Money Market Fund
VMW VMware
VNQ Vanguard Real Estate ETF
VO Vanguard Mid-Cap ETF
VOD Vodafone Group
VOO Vanguard S&P 500 ETF
VRSK Verisk Analytics
VRSN VeriSign
VRTX Vertex Pharmaceuticals
VST Vistra
VT Vanguard Total World Stock ETF
VTEB Vanguard Tax-Exempt Bond ETF
VTI Vanguard Total Stock Market ETF
VTIAX Vanguard Total International Stock Index Fund Admiral Shares
VTR Ventas
VTRS Viatris
VTSAX Vanguard Total Stock Market Index Fund Admiral Shares
VTV Vanguard Value ETF
VUG Vanguard Growth ETF
VV Vanguard Large-Cap ETF
VVV Valvoline
VWO Vanguard FTSE Emerging Markets ETF
VXUS Vanguard Total International Stock ETF
VYM Vanguard High Dividend Yield ETF
VZ Verizon Communications
W Wayfair
WBA Walgreens Boots Alliance
WBD Warner Bros. Discovery
WDAY Workday
WDC Western Digital
WEC WEC Energy Group
WELL Welltower
WFC Wells Fargo
WM Waste Management
WMB Williams Companies
WMT Walmart
WY Weyerhaeuser
WYNN Wynn Resorts
XBI SPDR S&P Biotech ETF
XEL Xcel Energy
XLB Materials Select Sector SPDR Fund
XLC Communication Services Select Sector SPDR Fund
XLE Energy Select Sector SPDR Fund
XLF Financial Select Sector SPDR Fund
XLI Industrial Select Sector SPDR Fund
XLK Technology Select Sector SPDR Fund
XLP Consumer Staples Select Sector SPDR Fund
XLRE Real Estate Select Sector SPDR Fund
XLU Utilities Select Sector SPDR Fund
XLV Health Care Select Sector SPDR Fund
XLY Consumer Discretionary Select Sector SPDR Fund
XOM Exxon Mobil
XPEV XPeng
XYL Xylem
XYZ Block
YUM Yum! Brands
ZBH Zimmer Biomet
ZM Zoom
ZS Zscaler
ZTS Zoetis
`;
